"""How `lighter show` puts a transcript before a person: what is picked, what belongs together, and the three styles."""
