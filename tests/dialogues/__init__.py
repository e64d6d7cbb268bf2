"""Conversations that anyone can read: questions and answers word for word. `python -m tests.dialogues` rewrites
the answers.
"""
