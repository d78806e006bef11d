"""`python -m lighter` runs the command line; the one place of the library that knows it."""

from lighter_cli.start import main

main()
