"""Reading back what compilers wrote."""
