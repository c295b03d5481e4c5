"""The steps from a first word to a submission, in their order."""

FILL, CHECK, PREVIEW, SUBMIT = "Fill in", "Check", "Preview", "Submit"
STEPS = (FILL, CHECK, PREVIEW, SUBMIT)
