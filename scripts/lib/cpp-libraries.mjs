import { existsSync } from 'node:fs';
import path from 'node:path';
import { prefix } from './debian.mjs';
import { findProgram } from './machine.mjs';

/** What each environment variable must point at, and a file by which to tell. */
const wanted = {
  XTENSOR_INCLUDE_DIR: {
    what: 'a folder with the headers of xtensor 0.25 and xtl 0.7 (folders `xtensor` and `xtl`)',
    marks: ['xtensor/xtensor.hpp', 'xtl/xtl_config.hpp'],
  },
  NLOHMANN_INCLUDE_DIR: {
    what: 'a folder with the headers of nlohmann-json 3.11 (folder `nlohmann`)',
    marks: ['nlohmann/json.hpp'],
  },
  GOOGLETEST_SOURCE_DIR: {
    what: 'the source folder of GoogleTest 1.14 or later',
    marks: ['googletest/CMakeLists.txt'],
  },
};

/** The machine's own copies, named by environment variables, and its ninja: `{ env, programs }` or `{ reason }`. */
export function ownLibraries() {
  const env = {};
  for (const [variable, { what, marks }] of Object.entries(wanted)) {
    const folder = process.env[variable];
    const complete = folder && marks.every((mark) => existsSync(path.join(folder, mark)));
    if (!complete) return { reason: `$${variable} must name ${what}, got ${folder ?? 'nothing'}` };
    env[variable] = folder;
  }
  const ninja = findProgram('ninja');
  if (!ninja) return { reason: 'no ninja on PATH' };
  return { env, programs: [path.dirname(ninja)] };
}

export function unpackedLibraries() {
  return {
    env: {
      XTENSOR_INCLUDE_DIR: path.join(prefix, 'include'),
      NLOHMANN_INCLUDE_DIR: path.join(prefix, 'include'),
      GOOGLETEST_SOURCE_DIR: path.join(prefix, 'usr', 'src', 'googletest'),
    },
    programs: [path.join(prefix, 'bin')],
  };
}
