"""Queries and checks that rules of several folders share."""
