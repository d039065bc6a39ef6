#!/usr/bin/env node
import { programs } from '../cli/programs.ts';
import { start } from '../main.ts';

await start(programs['jeeves-mcp-pruner']);
