# Finds the C++ libraries: local copies named by environment or command line, otherwise fetched from their repositories.
set(FETCHCONTENT_BASE_DIR "${PROJECT_SOURCE_DIR}/build/_deps" CACHE PATH "Where fetched libraries are kept, for all presets")
include(FetchContent)

set(XTENSOR_INCLUDE_DIR "$ENV{XTENSOR_INCLUDE_DIR}" CACHE PATH "Folder that holds only xtensor/ and xtl/; empty: fetch them")
set(NLOHMANN_INCLUDE_DIR "$ENV{NLOHMANN_INCLUDE_DIR}" CACHE PATH "Folder that holds nlohmann/; empty: fetch it")
set(GOOGLETEST_SOURCE_DIR "$ENV{GOOGLETEST_SOURCE_DIR}" CACHE PATH "GoogleTest's source tree; empty: fetch it")

# fetch(<result> <name> <repository> <commit>): the folder of a library's sources. SOURCE_SUBDIR has no CMakeLists.txt, so
# that none of the library's targets are added.
function(fetch result name repository commit)
  FetchContent_Declare(${name}
    GIT_REPOSITORY "https://github.com/${repository}.git"
    GIT_TAG ${commit}
    GIT_SHALLOW TRUE
    SOURCE_SUBDIR only-its-files)
  FetchContent_MakeAvailable(${name})
  set(${result} "${${name}_SOURCE_DIR}" PARENT_SCOPE)
endfunction()

# check_copy(<variable> <file>…): fails if a local copy lacks one of the files.
function(check_copy variable)
  foreach(file IN LISTS ARGN)
    if(NOT EXISTS "${${variable}}/${file}")
      message(FATAL_ERROR "${variable} is \"${${variable}}\", which has no ${file}. Name a folder that has, or none to fetch it.")
    endif()
  endforeach()
endfunction()

if(XTENSOR_INCLUDE_DIR)
  check_copy(XTENSOR_INCLUDE_DIR xtensor/xarray.hpp xtl/xtl_config.hpp)
  set(xtensor_folders "${XTENSOR_INCLUDE_DIR}")
else()
  fetch(xtensor_folder xtensor xtensor-stack/xtensor 3634f2ded19e0cf38208c8b86cea9e1d7c8e397d) # 0.25.0
  fetch(xtl_folder xtl xtensor-stack/xtl a7c1c5444dfc57f76620391af4c94785ff82c8d6) # 0.7.7
  set(xtensor_folders "${xtensor_folder}/include" "${xtl_folder}/include")
endif()
add_library(xtensor INTERFACE)
target_include_directories(xtensor SYSTEM INTERFACE ${xtensor_folders})

if(NLOHMANN_INCLUDE_DIR)
  check_copy(NLOHMANN_INCLUDE_DIR nlohmann/json.hpp)
  set(nlohmann_folder "${NLOHMANN_INCLUDE_DIR}")
else()
  fetch(nlohmann_folder json nlohmann/json 9cca280a4d0ccf0c08f47a99aa71d1b0e52f8d03) # 3.11.3
  string(APPEND nlohmann_folder /include)
endif()
add_library(nlohmann_json INTERFACE)
target_include_directories(nlohmann_json SYSTEM INTERFACE "${nlohmann_folder}")

if(GOOGLETEST_SOURCE_DIR)
  check_copy(GOOGLETEST_SOURCE_DIR googletest/src/gtest-all.cc)
  set(googletest_folder "${GOOGLETEST_SOURCE_DIR}/googletest")
else()
  fetch(googletest_folder googletest_sources google/googletest 6910c9d9165801d8827d628cb72eb7ea9dd538c5) # 1.16.0
  string(APPEND googletest_folder /googletest)
endif()
add_library(googletest INTERFACE)
target_include_directories(googletest SYSTEM INTERFACE "${googletest_folder}/include")
