// Short synthesised sounds, off by default.

const sounds = (() => {
  let isOn = false;
  /** @type {AudioContext | null} */
  let shared = null;

  /** @param {boolean} on */
  function turn(on) {
    isOn = on;
  }

  // Browsers allow sound only after a click or a key.
  function audio() {
    shared ??= new AudioContext();
    if (shared.state === "suspended") shared.resume();
    return shared;
  }

  // A sound that begins after some seconds at this loudness and fades away.
  /** @type {(source: AudioScheduledSourceNode, after: number, seconds: number, loudness: number) => void} */
  function ring(source, after, seconds, loudness) {
    const context = audio();
    const start = context.currentTime + after;
    const gain = context.createGain();
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(loudness, start + 0.004);
    gain.gain.exponentialRampToValueAtTime(0.0005, start + seconds);
    source.connect(gain).connect(context.destination);
    source.start(start);
    source.stop(start + seconds);
  }

  /** @type {(hertz: number, after?: number, seconds?: number, loudness?: number, type?: OscillatorType) => void} */
  function tone(hertz, after = 0, seconds = 0.3, loudness = 0.12, type = "sine") {
    const oscillator = audio().createOscillator();
    oscillator.type = type;
    oscillator.frequency.value = hertz;
    ring(oscillator, after, seconds, loudness);
  }

  const sound = {
    // Wood on stone.
    move: () => { tone(420, 0, 0.07, 0.2, "triangle"); tone(880, 0, 0.03, 0.08, "square"); },
    // A block put down.
    build: () => { tone(150, 0, 0.16, 0.35, "triangle"); tone(310, 0, 0.06, 0.12, "square"); },
    dome: () => { tone(150, 0, 0.16, 0.3, "triangle"); tone(740, 0.03, 0.5, 0.1); tone(1110, 0.03, 0.4, 0.05); },
    win: () => [523, 659, 784, 1047].forEach((hertz, index) => tone(hertz, index * 0.11, 0.5, 0.13, "triangle")),
    loss: () => [392, 330, 262].forEach((hertz, index) => tone(hertz, index * 0.16, 0.5, 0.11, "triangle")),
  };

  /** @type {(name: keyof typeof sound) => void} */
  function play(name) {
    if (isOn) sound[name]();
  }

  return { turn, play };
})();
