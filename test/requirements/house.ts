export const houseRequirements: Readonly<Record<string, string>> = {
  H1: 'The layout, the dependency rules and the style are enforced by npm run check, which proves that it read every file; an example that breaks each rule makes it fail.',
  H2: 'The package is called secateur, has three executables and secateur/runner, holds only what runs, and works from its tarball in an empty folder; nothing is downloaded at install time beside the packages.',
  H4: 'One table of settings gives parser, validation, help and docs/configuration.md: flags > environment > config.toml > default; a bad value names its variable and what was expected, and exits with 2.',
  H5: 'Every command has help with examples and documented exit codes; colours appear only on a terminal and not with NO_COLOR.',
  H6: 'up runs the servers in one process, says what runs where, stops everything on Ctrl-C, names a taken port and its setting; --detach and start wait for health in a bounded loop; status, stop and restart work from elsewhere, and restart keeps the flags.',
  H7: 'A newcomer gets along with the README alone: its commands and its curl work as written, and .ci/run calls its test command.',
  H8: 'ARCHITECTURE.md is true: every step of its walks exists and is imported along the way; a file no other room imports is in no hall.',
};
