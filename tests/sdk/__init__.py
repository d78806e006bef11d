"""The providers' own clients, against a server that only listens."""
