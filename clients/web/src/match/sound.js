// A short sound when something happens. It is off until someone turns it on.

import { keep, load } from "../storage/storage.js";

const ENTRY = "matchbook.sound";

/** Whether sounds are on. */
export const isSoundOn = () => load(ENTRY) === "on";

/** @param {boolean} isOn */
export const setSound = (isOn) => keep(ENTRY, isOn ? "on" : "off");

/** @type {AudioContext | null} */
let audio = null;

/** Plays the sound, if sounds are on. */
export const playSound = () => {
  if (!isSoundOn()) return;
  audio ??= new AudioContext();
  const [tone, volume] = [audio.createOscillator(), audio.createGain()];
  tone.frequency.value = 420;
  volume.gain.setValueAtTime(0.08, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.0001, audio.currentTime + 0.12);
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.12);
};
