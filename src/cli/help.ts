export const help = `Finds PostgreSQL advisory locks that do not lock.

An advisory lock is a number that your code locks in PostgreSQL, so that of all instances of an app only one does a
job at a time. It belongs to the connection that took it, and a connection pool hands out another one for each query:
then the lock is not freed, or guards nothing, and no error says so.

Usage
  npx eslint-plugin-pg-advisory-lock [options] [path...]

A path is a file or a folder; without one, this folder and the projects that its tsconfig.json references are looked
at. No configuration is needed. What .gitignore leaves out is left out. Nothing is changed, unless you ask for it.

Options
  --inventory             list every advisory lock, the correct ones, too: key, connection, who unlocks it, what
                          guards it; keys that two places share, and keys that are taken in both orders
  --fix-suggestions       apply the first quick fix of each finding, and show what was changed: review it
  --strict                report locks on connections that are not known, too
  --rule <name>           look for this alone; may be given more than once
  --settings <file>       names of your own functions and handles: a JSON file with settings['pg-advisory-lock'], or
                          the eslint.config.js that has them
  -f, --format <name>     a formatter of ESLint (json, stylish, html), the name of an installed one, or a file;
                          with --inventory: table, json, markdown, mermaid or svg
  -o, --output-file <f>   write to a file instead
  --[no-]color            with or without colours
  -h, --help              show this
  -v, --version           show the version

Examples
  npx eslint-plugin-pg-advisory-lock
  npx eslint-plugin-pg-advisory-lock apps/api packages/jobs/src/nightly.ts
  npx eslint-plugin-pg-advisory-lock --inventory
  npx eslint-plugin-pg-advisory-lock --inventory --format svg --output-file locks.svg
  npx eslint-plugin-pg-advisory-lock --fix-suggestions src/jobs

Exit code
  0  nothing found (an inventory: the list is complete)
  1  something found, or a file that could not be read
  2  the call is wrong, there are no source files, or the command failed
`;
