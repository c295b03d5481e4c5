"""Actions as forms: one form per action, shared by the admin and the pages."""
