"""The command line of lighter: thin commands over the library, one file per command and one per output format."""
