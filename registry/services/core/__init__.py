"""Transactions, permissions, paging and other services that know no resource."""
