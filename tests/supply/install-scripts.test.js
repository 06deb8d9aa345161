import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { execa } from 'execa';
import { copyElsewhere } from './elsewhere.js';

test('no package runs an install script', async (t) => {
  const clone = copyElsewhere(['scripts']);
  t.after(() => rmSync(clone, { recursive: true }));
  const folder = path.join(clone, 'project');
  const write = (name, value) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), JSON.stringify(value));
  };
  const marks = `${JSON.stringify(process.execPath)} -e "fs.writeFileSync('ran', '')"`;
  const scripts = { preinstall: marks, install: marks, postinstall: marks, prepare: marks };
  const used = { name: 'used', version: '1.0.0' };
  const project = { name: 'project', version: '1.0.0', dependencies: { used: 'file:used' } };
  write('used/package.json', { ...used, scripts });
  write('package.json', { ...project, scripts });
  const link = { resolved: 'used', link: true };
  write('package-lock.json', {
    ...{ name: 'project', version: '1.0.0', lockfileVersion: 3, requires: true },
    packages: { '': project, used: { ...used, hasInstallScript: true }, 'node_modules/used': link },
  });
  const file = JSON.stringify(path.join(clone, 'scripts', 'bootstrap', 'provide.mjs'));
  const text = `const { ensureNodePackages } = await import(${file}); await ensureNodePackages('project');`;
  await execa(process.execPath, ['--input-type=module', '--eval', text]);
  assert.ok(existsSync(path.join(folder, 'node_modules', 'used')));
  for (const where of ['.', 'used']) assert.ok(!existsSync(path.join(folder, where, 'ran')), where);
});
