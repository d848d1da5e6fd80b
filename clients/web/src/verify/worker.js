// Runs the verifier beside the page, which stays responsive. Answers each message {file, keys} with messages
// {stage}, then {report}, or {missing: true} if this service was built without the verifier, or {failed}.

import { Verifier } from "./verifier.js";

const MODULE = new URL("../../verifier.wasm", import.meta.url);

/** @type {Promise<Verifier | null> | undefined} */
let starting;

// One verifier serves all files of a page. A failed start is tried again.
const start = () => {
  starting ??= load().catch((error) => {
    starting = undefined;
    throw error;
  });
  return starting;
};

const load = async () => {
  const answer = await fetch(MODULE);
  if (answer.status === 404) return null;
  if (!answer.ok) throw new Error(`the verifier can't be loaded: HTTP ${answer.status}`);
  return Verifier.start(await answer.arrayBuffer());
};

/** @param {File} file */
const read = async (file) => {
  const bytes = new Uint8Array(file.size);
  const reader = file.stream().getReader();
  for (let at = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return bytes;
    bytes.set(value, at);
    at += value.length;
    postMessage({ stage: "reading", done: at, of: file.size });
  }
};

addEventListener("message", async ({ data: { file, keys } }) => {
  try {
    postMessage({ stage: "starting" });
    const verifier = await start();
    if (verifier === null) return postMessage({ missing: true });
    verifier.checkSize(file.size);
    const bytes = await read(file);
    postMessage({ stage: "checking" });
    postMessage({ report: verifier.verify(bytes, keys) });
  } catch (error) {
    // What is left of the verifier after a failure is not used again.
    starting = undefined;
    postMessage({ failed: error instanceof Error ? error.message : String(error) });
  }
});
