"""Transactions, permissions, paging and other services shared by all resources."""
