/** The compiled worker beside the compiled module; not in the sources. */
export const sourceWorkerUrl = new URL('./prepare/source-worker.js', import.meta.url);
