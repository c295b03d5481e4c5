"""Webhooks: the events of a namespace, posted to the addresses that its owners register."""
