"""What people can do, each act a form: the admin and the pages show the same ones."""
