# The WebAssembly binaries of the package with the loaders that Emscripten generates: <variant>.{wasm,js},
# models-<variant>.{wasm,js} and, without threads, training-<variant>.{wasm,js}.
#
# One binary for all three would be 80 kB with Brotli, one for training and models 73 kB, against 51, 60 and 36 kB: a page
# that draws attention would download 30 kB more. Training computes in a worker of its own, which needs no threads.
add_custom_target(attention)          # simd, relaxed
add_custom_target(attention-threads)  # the same with threads
add_custom_target(training)           # training-simd, training-relaxed
add_custom_target(models)             # models-simd, models-relaxed
add_custom_target(models-threads)     # the same with threads
add_custom_target(binaries)           # all ten
add_dependencies(binaries attention attention-threads training models models-threads)

# add_binary(<name> <group> <threading> <export name> <libraries>…)
function(add_binary name group threading export_name)
  add_executable(${name} $<TARGET_OBJECTS:bindings-${group}>)
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX SUFFIX .js)
  target_link_libraries(${name} PRIVATE ${ARGN} malloc-${threading} embind-${threading} wasm-module-${threading})
  target_link_options(${name} PRIVATE -sEXPORT_NAME=${export_name})
  if(group MATCHES "^models")
    # Weights fill most of the memory: reserve 5 % at each growth, not 20 %.
    target_link_options(${name} PRIVATE -sMEMORY_GROWTH_GEOMETRIC_STEP=0.05)
  endif()
  add_dependencies(${group} ${name})
endfunction()

add_objects(bindings-attention settings-single -Oz bindings.cpp)
add_objects(bindings-attention-threads settings-threads -Oz bindings.cpp)
add_objects(bindings-training settings-single -Oz training/bindings.cpp)
add_objects(bindings-models settings-single -Oz models/bindings.cpp)
add_objects(bindings-models-threads settings-threads -Oz models/bindings.cpp)

foreach(instruction_set IN LISTS MHA_INSTRUCTION_SETS)
  add_binary(${instruction_set} attention single createAttention mha-${instruction_set})
  add_binary(${instruction_set}-threads attention-threads threads createAttention mha-${instruction_set}-threads)
  add_binary(training-${instruction_set} training single createTraining mha-training-${instruction_set})
  add_binary(models-${instruction_set} models single createModels mha-models-${instruction_set})
  add_binary(models-${instruction_set}-threads models-threads threads createModels mha-models-${instruction_set}-threads)
endforeach()
