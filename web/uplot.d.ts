/** The library's own file, copied beside the page when it is built. */
// biome-ignore lint/style/noDefaultExport: it is the library's.
export { default } from 'uplot';
