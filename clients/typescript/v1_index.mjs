// Writes the indexes of the generated code, so that a new file or service of the protos needs no edit here.
import { readdirSync, writeFileSync } from "node:fs";

const folder = new URL("src/gen/", import.meta.url);
const modules = readdirSync(new URL("matchbook/v1/", folder))
  .sort()
  .map((file) => file.replace(/\.ts$/, ".js"));
const lines = (list) => `${list.map((file) => `export * from "./matchbook/v1/${file}";`).join("\n")}\n`;
writeFileSync(new URL("v1.ts", folder), lines(modules));

const services = modules
  .filter((file) => file.endsWith("_service_pb.js"))
  .map((file) => {
    const name = file.replace("_pb.js", "").replace(/(?:^|_)([a-z])/g, (_, letter) => letter.toUpperCase());
    return `export { ${name} } from "./matchbook/v1/${file}";`;
  });
writeFileSync(new URL("services.ts", folder), `${services.join("\n")}\n`);
