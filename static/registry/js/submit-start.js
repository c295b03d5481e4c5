// Typing in a field of an option selects the option. Without script the server infers it.
for (const option of document.querySelectorAll(".submit-option")) {
  const radio = option.querySelector("[type=radio]");
  option.addEventListener("input", (event) => {
    radio.checked ||= Boolean(event.target.value);
  });
}
