/** The clauses of docs/contracts/audit.md. */
export const auditRequirements: Readonly<Record<string, string>> = {
  S1: 'every cut, masking and recovery is one ledger entry of names and sizes, never text, goal, path or secret',
  S2: 'net is saved less asked back, everywhere; a cut wholly asked back is a loss',
  S3: 'the ledger is bounded, survives kill -9, may have several writers and never blocks one',
  S4: 'money only at prices the settings give, input, cache write and cache read apart, the price named',
  S5: 'secateur stats with --since, --by and --json',
};
