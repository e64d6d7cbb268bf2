"""Fits the weights of kinds of question. Nothing of it runs when a message is read."""
