/** The compiled worker beside the compiled room; in the sources there is none. */
export const sourceWorkerUrl = new URL('./prepare/source-worker.js', import.meta.url);
