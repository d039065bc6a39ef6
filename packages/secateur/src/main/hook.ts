import { main } from '@secateur/serving/commands/main.ts';
import { hookProgram } from '../cli/hook-program.ts';

await main(hookProgram);
