# How the WebAssembly builds are compiled and linked.

set(wasm_simd_flags -msimd128)
set(wasm_relaxed_flags -msimd128 -mrelaxed-simd)

# Flags for all sources.
add_library(wasm INTERFACE)
target_compile_options(wasm INTERFACE -fwasm-exceptions -flto)
target_link_options(wasm INTERFACE -fwasm-exceptions)

# Flags for the package's binaries.
add_library(wasm-module INTERFACE)
target_link_options(wasm-module INTERFACE
  -flto -O3
  -sMODULARIZE -sEXPORT_ES6
  # These are the oldest versions with WebAssembly exceptions: nothing needs to be emulated.
  -sMIN_CHROME_VERSION=95 -sMIN_FIREFOX_VERSION=100 -sMIN_SAFARI_VERSION=150200
  -sTEXTDECODER=2                # every engine has a TextDecoder: no fallback
  -sFILESYSTEM=0                 # no Node code: web/api fetches or reads the bytes
  -sDYNAMIC_EXECUTION=0          # no eval: pages with a content security policy work
  -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB
  -sMALLOC=none                  # malloc-single or malloc-threads
  -sABORTING_MALLOC=0            # out of memory is a C++ exception, then a RangeError
  -sEXPORTED_RUNTIME_METHODS=stackSave,stackRestore)  # enter() in web/api/handle.ts restores the stack after an error

# A library, not the option --bind: it comes after our objects, so that its bind.cpp is not needed.
target_link_libraries(wasm-module INTERFACE -lembind)

add_library(wasm-module-single INTERFACE)
target_link_libraries(wasm-module-single INTERFACE wasm-module)
target_link_options(wasm-module-single INTERFACE
  -sENVIRONMENT=web -sINCOMING_MODULE_JS_API=instantiateWasm
  -sINITIAL_HEAP=2MB)          # it grows with what is computed

add_library(wasm-module-threads INTERFACE)
target_link_libraries(wasm-module-threads INTERFACE wasm-module)
target_link_options(wasm-module-threads INTERFACE
  -sENVIRONMENT=web,worker
  -sPTHREAD_POOL_SIZE=Module.threads-1
  -sINITIAL_MEMORY=16MB        # web/api/threads.ts creates the memory
  -sINCOMING_MODULE_JS_API=instantiateWasm,wasmMemory
  -Wno-pthreads-mem-growth)    # checking for grown memory is slow, but JavaScript only copies tensors

# Uses Emscripten's smaller allocator: buffers are kept between calls, so code size matters more than speed.
enable_language(C)
include(cmake/emmalloc.cmake)
repair_emmalloc("${EMSCRIPTEN_ROOT_PATH}/system/lib/emmalloc.c" "${PROJECT_BINARY_DIR}/emmalloc.c")
foreach(threading single threads)
  add_library(malloc-${threading} OBJECT "${PROJECT_BINARY_DIR}/emmalloc.c")
  target_link_libraries(malloc-${threading} PRIVATE wasm)
  target_compile_options(malloc-${threading} PRIVATE -O3 -fno-builtin -Wno-unused)
endforeach()
target_compile_options(malloc-threads PRIVATE -pthread)

include(cmake/embind.cmake)
shorten_embind("${EMSCRIPTEN_ROOT_PATH}/system/lib/embind/bind.cpp" "${PROJECT_BINARY_DIR}/bind.cpp")
foreach(threading single threads)
  add_library(embind-${threading} OBJECT "${PROJECT_BINARY_DIR}/bind.cpp")
  target_link_libraries(embind-${threading} PRIVATE wasm)
  target_compile_options(embind-${threading} PRIVATE -Oz)
endforeach()
target_compile_options(embind-threads PRIVATE -pthread)

# wasm_tests(<program> <variant>): links a GoogleTest program and runs it in Node. One process runs all tests, because
# starting it takes longer than most tests. Reports each test in build/test-reports/<program>.xml.
function(wasm_tests program variant)
  # -O1: optimising GoogleTest, the C++ library and the tests too would take three times as long. The core is compiled
  # with the package's optimisation; the final binaries are tested by tests/js.
  target_link_options(${program} PRIVATE -O1 -sNODERAWFS -sEXIT_RUNTIME -sALLOW_MEMORY_GROWTH -sSTACK_SIZE=1MB)
  if(variant MATCHES "-threads$")
    target_link_options(${program} PRIVATE
      -sENVIRONMENT=node,worker -sPTHREAD_POOL_SIZE=1 -Wno-pthreads-mem-growth)
  else()
    target_link_options(${program} PRIVATE -sENVIRONMENT=node)
  endif()
  # The suffix is .cjs for CommonJS, because package.json declares .js files to be ES modules.
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

# Node 20 needs a flag for relaxed SIMD, which later versions have removed.
execute_process(COMMAND ${CMAKE_CROSSCOMPILING_EMULATOR} --version OUTPUT_VARIABLE node_version)
if(node_version MATCHES "^v20\\.")
  set(relaxed_simd_flags --experimental-wasm-relaxed-simd)
endif()
