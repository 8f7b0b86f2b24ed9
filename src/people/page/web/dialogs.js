// Dialogs and the browser's history: Back closes an open dialog instead of leaving the page.

// Whether the browser is going back from the entry of a closed dialog.
let isLeavingDialog = false;

const openedDialog = () => /** @type {HTMLDialogElement | null} */ (document.querySelector("dialog[open]"));
const hasDialogEntry = () => history.state?.dialog === true;
const addDialogEntry = () => history.pushState({ dialog: true }, "");

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
