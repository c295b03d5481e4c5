// Forms of passkeys, which need a script: it shows them, and says if the browser has made or found
// none. What speaks to the browser is allauth's.
for (const form of document.querySelectorAll("form[data-passkey]")) {
  if (!window.PublicKeyCredential) continue;
  const message = form.querySelector("[role=alert]");
  const button = form.querySelector("button");
  const passwordless = form.querySelector("[name=passwordless]");
  form.hidden = false;
  for (const note of document.querySelectorAll("[data-passkey-note]")) note.hidden = true;
  document.addEventListener("allauth.error", (event) => {
    event.preventDefault();
    message.textContent = "The browser has given no passkey. Try again, or use another way.";
  });
  // Enter in the name asks for the passkey, too.
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    button.click();
  });
  window.allauth.webauthn.forms[form.dataset.passkey]({
    ids: {
      add: button.id,
      authenticate: button.id,
      login: button.id,
      credential: form.querySelector("[name=credential]").id,
      data: "passkey-options",
      passwordless: passwordless?.id,
    },
  });
}
