import { serveStdio } from '../../../packages/serving/src/wire/stdio-host.ts';
import { echoServer } from './echo-server.ts';

/** The echo server as a program of its own, for clients that start their server. */
await serveStdio(echoServer(), { input: process.stdin, output: process.stdout }).closed;
