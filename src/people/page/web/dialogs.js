// Dialogs and the browser's history: Back closes an open dialog instead of leaving the page.

// Whether the browser is going back from the entry of a closed dialog.
let isLeavingDialog = false;

const openedDialog = () => /** @type {HTMLDialogElement | null} */ (document.querySelector("dialog[open]"));
const hasDialogEntry = () => history.state?.dialog === true;
const addDialogEntry = () => history.pushState({ dialog: true }, "");

// Fills a dialog: a title, which gets the focus, and the parts below it.
/** @type {(dialog: HTMLDialogElement, title: string, ...parts: (HTMLElement | string)[]) => void} */
function fillDialog(dialog, title, ...parts) {
  const id = dialog.getAttribute("aria-labelledby");
  dialog.replaceChildren(make("h2", { id, tabindex: "-1", autofocus: true }, title), ...parts);
}

// The last row of a dialog, with a button that closes it.
/** @type {(dialog: HTMLDialogElement, ...buttons: HTMLElement[]) => HTMLElement} */
const closingRow = (dialog, ...buttons) =>
  make("div", { class: "ends" }, button("Close", () => dialog.close()), ...buttons);

/** @param {HTMLDialogElement} dialog */
function showDialog(dialog) {
  dialog.showModal();
  if (!hasDialogEntry()) addDialogEntry();
}

function prepareDialogs() {
  // A reloaded page has no open dialog.
  if (hasDialogEntry()) history.replaceState(null, "");
  // `close` does not bubble. Another dialog may be opened at once; it uses the same entry.
  document.addEventListener("close", () => setTimeout(() => {
    if (isLeavingDialog || openedDialog() || !hasDialogEntry()) return;
    isLeavingDialog = true;
    history.back();
  }), true);
  addEventListener("popstate", () => {
    const dialog = openedDialog();
    // A dialog that was opened meanwhile stays, with an entry of its own.
    if (isLeavingDialog && dialog) addDialogEntry();
    else dialog?.close();
    isLeavingDialog = false;
  });
}
