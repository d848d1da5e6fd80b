/**
 * The messages, enums and services of `matchbook.v1`, as protoc-gen-es generates them from the protos.
 *
 * @module
 */
export * from "./gen/v1.js";
