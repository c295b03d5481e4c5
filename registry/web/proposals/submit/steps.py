"""The steps of a submission, in order."""

FILL, CHECK, PREVIEW, SUBMIT = "Fill in", "Check", "Preview", "Submit"
STEPS = (FILL, CHECK, PREVIEW, SUBMIT)
