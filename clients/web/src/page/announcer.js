// Says what happens to those who don't see it.

let region = /** @type {HTMLElement | null} */ (null);

/** Has screen readers say a sentence. @param {string} sentence */
export const announce = (sentence) => {
  region ??= document.getElementById("announcements");
  if (region && sentence) region.textContent = sentence;
};
