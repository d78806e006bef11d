"""Calls and results in LangChain's messages, in the form `langchain-js`."""

from lighter.wires._langchain import calls_of, results_of

__all__ = ["calls_of", "results_of"]
