import { hookProgram } from '../cli/hook-program.ts';
import { main } from '../main.ts';

await main(hookProgram);
