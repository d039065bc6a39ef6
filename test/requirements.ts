import { agentPathRequirements } from './requirements/agent-path.ts';
import { auditRequirements } from './requirements/audit.ts';
import { focusRequirements } from './requirements/focus.ts';
import { gatewayRequirements } from './requirements/gateway.ts';
import { hardeningRequirements } from './requirements/hardening.ts';
import { houseRequirements } from './requirements/house.ts';
import { libraryRequirements } from './requirements/library.ts';
import { prunerRequirements } from './requirements/pruner.ts';
import { qualityRequirements } from './requirements/quality.ts';
import { reverseSpecRequirements } from './requirements/reverse-spec.ts';
import { runnerRequirements } from './requirements/runner.ts';
import { syntaxRequirements } from './requirements/syntax.ts';
import { teamRequirements } from './requirements/team.ts';
import { wireRequirements } from './requirements/wire.ts';

/** Every clause the product promises, by id. A test cites a clause by writing `[P14]` in its title. */
export const requirements: Readonly<Record<string, string>> = {
  ...houseRequirements,
  ...prunerRequirements,
  ...qualityRequirements,
  ...focusRequirements,
  ...agentPathRequirements,
  ...runnerRequirements,
  ...libraryRequirements,
  ...gatewayRequirements,
  ...reverseSpecRequirements,
  ...syntaxRequirements,
  ...teamRequirements,
  ...wireRequirements,
  ...auditRequirements,
  ...hardeningRequirements,
};
