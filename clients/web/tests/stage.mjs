// One service and one browser for all tests of a file. What imports this gets them started and stopped.

import { after, before } from "node:test";

import { Service, startBrowser } from "./running.mjs";

export let service;
export let browser;

/** What went wrong in a window of the browser beside its test. */
export const faults = [];

before(async () => {
  service = await Service.start();
  browser = await startBrowser();
});

after(async () => {
  await browser?.close();
  await service?.stop();
});
