/** Certificates for tests, made by the program `openssl`. */

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { newFolder } from "./service.js";

/** Makes a self-signed certificate for 127.0.0.1; returns the paths of it and of its key. */
export function certificate(): { certificate: string; key: string } {
  const folder = newFolder();
  const files = { certificate: join(folder, "service.pem"), key: join(folder, "service.key") };
  const kind = ["-x509", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-days", "2"];
  const names = ["-subj", "/CN=matchbook", "-addext", "subjectAltName=IP:127.0.0.1"];
  const output = ["-out", files.certificate, "-keyout", files.key];
  execFileSync("openssl", ["req", ...kind, ...names, ...output], { stdio: "ignore" });
  return files;
}
