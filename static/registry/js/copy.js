// A copy button beside each command. It shows "Copied" only after the copy succeeded.
for (const command of document.querySelectorAll("[data-copy]")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.setAttribute("aria-label", `Copy ${command.dataset.copy}`);
  const status = document.createElement("span");
  status.className = "visually-hidden";
  status.setAttribute("role", "status");
  let timer;
  button.addEventListener("click", async () => {
    const isCopied = await copyText(command);
    button.textContent = status.textContent = isCopied ? "Copied" : "Press Ctrl+C";
    clearTimeout(timer);
    timer = setTimeout(() => {
      button.textContent = "Copy";
      status.textContent = "";
    }, 3000);
  });
  command.after(button, status);
}

async function copyText(element) {
  try {
    await navigator.clipboard.writeText(element.textContent);
    return true;
  } catch {
    // The clipboard API needs HTTPS and permission: otherwise select the text and use execCommand.
    getSelection().selectAllChildren(element);
    return document.execCommand("copy");
  }
}
