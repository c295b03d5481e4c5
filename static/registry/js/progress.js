// Presses "Continue" after a pause, unless the user stops it.
const PAUSE = 700; // milliseconds
const form = document.querySelector("form[data-continue]");
const [continueButton, stopButton] = form.querySelectorAll("button");
const timer = setTimeout(() => form.requestSubmit(continueButton), PAUSE);

stopButton.addEventListener("click", () => clearTimeout(timer));
stopButton.addEventListener("focus", () => clearTimeout(timer));
