/** Describes the elements for editors, Storybook and docs: dist/custom-elements.json, named by package.json. */

/** Names of members that a class marks `@internal`; overriding classes need not repeat the mark. */
const internal = new Set();

export default {
  globs: ['web/elements/*/mha-*.ts'],
  outdir: 'dist',
  litelement: true,
  plugins: [
    {
      name: 'only-what-is-public',
      collectPhase({ ts, node }) {
        if (!ts.isClassElement(node)) return;
        if (ts.getJSDocTags(node).some(({ tagName }) => tagName.text === 'internal')) {
          internal.add(node.name.getText());
        }
      },
      // Module paths as in the package; private members are left out.
      packageLinkPhase({ customElementsManifest }) {
        // Folders are read at the same time: without an order of our own it differs from run to run.
        customElementsManifest.modules.sort((a, b) => (a.path < b.path ? -1 : 1));
        for (const module of customElementsManifest.modules) {
          module.path = module.path.replace(/^web\//, 'dist/').replace(/\.ts$/, '.js');
          for (const part of module.exports ?? []) part.declaration.module = module.path;
          for (const declaration of module.declarations ?? []) {
            declaration.members = declaration.members?.filter(
              ({ name, privacy }) =>
                !name.startsWith('#') &&
                !internal.has(name) &&
                privacy !== 'private' &&
                privacy !== 'protected',
            );
          }
        }
      },
    },
  ],
};
