// The view of the board: turned, flat, with digits, with sounds. The browser keeps it.

const looks = (() => {
  const wishes = { turned: 0, flat: false, digits: true, sounds: false };
  // While the page is printed the board is flat.
  let isPrinting = false;

  /** @type {() => Look} */
  const now = () => ({ flat: wishes.flat || isPrinting, turned: wishes.turned });

  const hasDigits = () => wishes.digits;

  /** @type {(id: string, isOn: boolean) => void} */
  const press = (id, isOn) => $(id).setAttribute("aria-pressed", String(isOn));

  function show() {
    press("flatButton", wishes.flat);
    press("digitsButton", wishes.digits);
    press("soundsButton", wishes.sounds);
    $("board").classList.toggle("plain", !wishes.digits);
    sounds.turn(wishes.sounds);
  }

  /** @type {(change: Partial<typeof wishes>) => void} */
  function wish(change) {
    Object.assign(wishes, change);
    storage.set("looks", wishes);
    show();
    changed();
  }

  /** @type {(isOver: boolean) => void} */
  function print(isOver) {
    isPrinting = !isOver;
    showBoard();
  }

  function prepare() {
    const left = storage.get("looks", /** @type {any} */ ({}));
    if ([0, 1, 2, 3].includes(left.turned)) wishes.turned = left.turned;
    for (const name of /** @type {const} */ (["flat", "digits", "sounds"])) {
      if (typeof left[name] === "boolean") wishes[name] = left[name];
    }
    $("turnButton").onclick = () => wish({ turned: (wishes.turned + 1) % 4 });
    $("flatButton").onclick = () => wish({ flat: !wishes.flat });
    $("digitsButton").onclick = () => wish({ digits: !wishes.digits });
    $("soundsButton").onclick = () => {
      wish({ sounds: !wishes.sounds });
      sounds.play("build");
    };
    addEventListener("beforeprint", () => print(false));
    addEventListener("afterprint", () => print(true));
    show();
  }

  return { prepare, now, hasDigits };
})();
