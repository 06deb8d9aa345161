# How the WebAssembly builds are compiled and linked.

set(wasm_scalar_flags "")
set(wasm_simd_flags -msimd128)
set(wasm_relaxed_flags -msimd128 -mrelaxed-simd)

# Of everything.
add_library(wasm INTERFACE)
target_compile_options(wasm INTERFACE -fwasm-exceptions -flto)
target_link_options(wasm INTERFACE -fwasm-exceptions)

# Of a binary that a loader of web/ starts.
add_library(wasm-module INTERFACE)
target_link_options(wasm-module INTERFACE
  --bind -flto -O3
  -sMODULARIZE -sEXPORT_ES6
  # Older ones lack WebAssembly exceptions, so nothing need be emulated for them.
  -sMIN_CHROME_VERSION=95 -sMIN_FIREFOX_VERSION=100 -sMIN_SAFARI_VERSION=150200
  -sTEXTDECODER=2                # every engine has one: no decoder of our own
  -sFILESYSTEM=0                 # nor any Node code: web/api fetches or reads the bytes itself
  -sDYNAMIC_EXECUTION=0          # no eval: pages with a content security policy work
  -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB
  -sMALLOC=none                  # that of malloc-single or malloc-threads
  -sBINARYEN_EXTRA_PASSES=--converge
  -sABORTING_MALLOC=0            # out of memory is a C++ exception, then a RangeError
  -sEXPORTED_RUNTIME_METHODS=stackSave,stackRestore)  # for enter() in web/api/handle.ts

add_library(wasm-module-single INTERFACE)
target_link_libraries(wasm-module-single INTERFACE wasm-module)
target_link_options(wasm-module-single INTERFACE -sENVIRONMENT=web -sINCOMING_MODULE_JS_API=instantiateWasm)

add_library(wasm-module-threads INTERFACE)
target_link_libraries(wasm-module-threads INTERFACE wasm-module)
target_link_options(wasm-module-threads INTERFACE
  -sENVIRONMENT=web,worker
  -sPTHREAD_POOL_SIZE=Module.threads-1
  -sINITIAL_MEMORY=16MB        # web/api/threads.ts brings the memory
  -sINCOMING_MODULE_JS_API=instantiateWasm,wasmMemory
  -Wno-pthreads-mem-growth)    # the loader looks for grown memory at every access: it only copies tensors

# Buffers are kept between calls, so that allocating little code matters more than allocating fast: Emscripten's smaller
# allocator.
enable_language(C)
include(cmake/emmalloc.cmake)
repair_emmalloc("${EMSCRIPTEN_ROOT_PATH}/system/lib/emmalloc.c" "${PROJECT_BINARY_DIR}/emmalloc.c")
foreach(threading single threads)
  add_library(malloc-${threading} OBJECT "${PROJECT_BINARY_DIR}/emmalloc.c")
  target_link_libraries(malloc-${threading} PRIVATE wasm)
  target_compile_options(malloc-${threading} PRIVATE -O3 -fno-builtin -Wno-unused)
endforeach()
target_compile_options(malloc-threads PRIVATE -pthread)

# wasm_tests(<program> <variant>): how a GoogleTest program is linked and run in Node. One process runs all of its tests: to
# start it and to compile its WebAssembly takes longer than most of them. It reports each in
# build/test-reports/<program>.xml.
function(wasm_tests program variant)
  # The core is optimised at link time as it is shipped. To optimise GoogleTest, the C++ library and the tests as well takes
  # three times as long; the binaries as Binaryen leaves them are what tests/js tests.
  target_link_options(${program} PRIVATE -O1 -sNODERAWFS -sEXIT_RUNTIME -sALLOW_MEMORY_GROWTH -sSTACK_SIZE=1MB)
  if(variant MATCHES "-threads$")
    target_link_options(${program} PRIVATE
      -sENVIRONMENT=node,worker -sPTHREAD_POOL_SIZE=1 -Wno-pthreads-mem-growth)
  else()
    target_link_options(${program} PRIVATE -sENVIRONMENT=node)
  endif()
  # CommonJS, where the repository's package.json says that .js files are ES modules.
  set_target_properties(${program} PROPERTIES SUFFIX .cjs)

  set(node ${CMAKE_CROSSCOMPILING_EMULATOR})
  if(variant MATCHES "^relaxed")
    list(APPEND node ${relaxed_simd_flags})
  endif()
  set_target_properties(${program} PROPERTIES CROSSCOMPILING_EMULATOR "${node}")
  add_test(NAME wasm-${variant}
    COMMAND ${program} "--gtest_output=xml:${PROJECT_SOURCE_DIR}/build/test-reports/${program}.xml")
  set_tests_properties(wasm-${variant} PROPERTIES TIMEOUT 900)
endfunction()

# Node 20 still asks for a flag before it runs relaxed SIMD; later ones do not know it any more.
execute_process(COMMAND ${CMAKE_CROSSCOMPILING_EMULATOR} --version OUTPUT_VARIABLE node_version)
if(node_version MATCHES "^v20\\.")
  set(relaxed_simd_flags --experimental-wasm-relaxed-simd)
endif()
