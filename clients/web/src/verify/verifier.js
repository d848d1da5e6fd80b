// The verifier: the code of `matchbook verify` as WebAssembly. Runs in a worker, and in Node for its test.

/** @typedef {import("./wording.js").Report} Report */

/**
 * @typedef {object} Exports what the module of clients/web/verifier exports
 * @property {WebAssembly.Memory} memory
 * @property {() => number} max_file_bytes
 * @property {(length: number) => number} room_for_file
 * @property {(length: number) => number} room_for_keys
 * @property {() => number} verify
 * @property {() => number} report_length
 */

/** Verifies log files, one at a time. */
export class Verifier {
  #exports;

  /** @param {Exports} exports */
  constructor(exports) {
    this.#exports = exports;
  }

  /** Starts the verifier from the bytes of its module. @param {BufferSource} bytes */
  static async start(bytes) {
    const { instance } = await WebAssembly.instantiate(bytes, {});
    return new Verifier(/** @type {any} */ (instance.exports));
  }

  /** Throws if a file of this size is too large. @param {number} bytes */
  checkSize(bytes) {
    const most = this.#exports.max_file_bytes();
    if (bytes <= most) return;
    throw new Error(`the file has more than ${most / 2 ** 20} MiB, the most that this page verifies`);
  }

  /** Returns the report on a file, as `matchbook verify --json` prints it.
   * @param {Uint8Array} file @param {string} keys those that are trusted, one per line @returns {Report} */
  verify(file, keys) {
    this.checkSize(file.length);
    this.#write(this.#exports.room_for_file(file.length), file);
    const text = new TextEncoder().encode(keys);
    this.#write(this.#exports.room_for_keys(text.length), text);
    const start = this.#exports.verify();
    const report = new Uint8Array(this.#exports.memory.buffer, start, this.#exports.report_length());
    const json = new TextDecoder().decode(report);
    this.#exports.room_for_file(0);
    return JSON.parse(json);
  }

  /** The memory may have grown, so its buffer is taken anew each time.
   * @param {number} start @param {Uint8Array} bytes */
  #write(start, bytes) {
    new Uint8Array(this.#exports.memory.buffer).set(bytes, start);
  }
}
