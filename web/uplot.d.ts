/** The library's own file, copied beside the page when it is built. */
export { default } from 'uplot';
