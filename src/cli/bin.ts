#!/usr/bin/env node
import { main } from './main.js';

// Whoever reads the output may stop early: `| head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => { if (error.code !== 'EPIPE') throw error; });

process.exitCode = await main(process.argv.slice(2), process);
