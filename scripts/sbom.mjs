/**
 * Prints what the package consists of, as CycloneDX 1.5: the packages that npm installs with it (`npm sbom`), and the parts that
 * its files contain, which are those of NOTICE.md.
 */
import { readFileSync } from 'node:fs';
import { execa } from 'execa';
import { inRepo, main, repo } from './bootstrap/basics.mjs';

const read = (file) => readFileSync(inRepo(file), 'utf8');
const { name, version, devDependencies } = JSON.parse(read('package.json'));

/** A license by its SPDX name; an exception belongs to the license before it. A text of its own has none. */
function licenses(text) {
  const ids = Array.from(text.matchAll(/\]\(LICENSES\/(.+?)\.txt\)/g), ([, id]) => id);
  if (ids.length === 0) return {};
  return {
    licenses: ids.length === 1 ? [{ license: { id: ids[0] } }] : [{ expression: ids.join(' WITH ') }],
  };
}

/** The parts of NOTICE.md; the headings above them say in which files they are. Only npm's have a version that is known here. */
function partsInFiles() {
  return read('NOTICE.md')
    .split(/^# /m)
    .flatMap((section) => {
      const [heading, ...parts] = section.split(/^## /m);
      return parts.map((part) => {
        const [title] = part.split('\n');
        const ofNpm = devDependencies[title];
        return {
          ...{ 'bom-ref': title, type: 'library', name: title },
          ...(ofNpm && { version: ofNpm, purl: `pkg:npm/${title.replace('@', '%40')}@${ofNpm}` }),
          description: heading.split('\n')[0].replaceAll('`', ''),
          ...licenses(part),
        };
      });
    });
}

await main(async () => {
  const { stdout } = await execa('npm', ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev'], {
    cwd: repo,
  });
  const { metadata, components, dependencies, ...bom } = JSON.parse(stdout);
  const isInstalled = (part) => components.some((component) => component.name === part.name.toLowerCase());
  const parts = partsInFiles().filter((part) => !isInstalled(part));
  const own = `${name}@${version}`;
  // npm names it after the folder, and private as the repository is.
  const component = { ...metadata.component, name, properties: [] };
  const all = {
    ...bom,
    metadata: { ...metadata, component },
    components: [...components, ...parts],
    dependencies: dependencies.map((entry) =>
      entry.ref === own
        ? { ...entry, dependsOn: [...entry.dependsOn, ...parts.map((part) => part['bom-ref'])] }
        : entry,
    ),
  };
  console.log(JSON.stringify(all, null, 2));
});
