import { hookProgram } from '../cli/hook-program.ts';
import { main } from '@secateur/serving/commands/main.ts';

await main(hookProgram);
